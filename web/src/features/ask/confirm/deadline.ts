const morning = 8;

/** Eight o'clock on the person's next day, as an instant. */
export function tomorrowMorning(now: Date): string {
  const at = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, morning);
  return at.toISOString();
}

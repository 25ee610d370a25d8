const pauseSeconds = [1, 2, 3, 5, 8, 13, 20, 30] as const;
const longestSeconds = 60;

/** How long to wait before asking once more, after so many answers that decided nothing. */
export function pauseAfter(looks: number): number {
  return (pauseSeconds[Math.max(0, looks - 1)] ?? longestSeconds) * 1000;
}

/** What to tell somebody who waits: first that it takes a moment, later that nobody needs to wait. */
export function waitingWords(looks: number): string {
  if (looks <= 2) return 'One moment: we ask the provider about your payment.';
  if (looks <= 5) return 'The provider has not decided yet. This can take a minute.';
  return (
    'The provider still has not decided. You can leave this page: as soon as the payment is through, your order is settled by ' +
    'itself and a mail tells you.'
  );
}

interface Month {
  limit: number;
  spent: number;
  reserved: number;
}

/** The submissions a person may still reserve this month. Reserved ones count as spent. */
export function monthlyAllowance({ limit, spent, reserved }: Month): number {
  return Math.max(0, limit - spent - reserved);
}

interface Fall {
  alertLevel: number | null;
  notifiedAt: Date | null;
  before: number;
  amount: number;
}

/** Whether the amount takes the balance below its alert level. Notifies once for each fall. */
export function fallsBelowAlert({ alertLevel, notifiedAt, before, amount }: Fall): boolean {
  if (alertLevel === null || amount <= 0 || amount > before) return false;
  if (before - amount >= alertLevel) return false;
  return notifiedAt === null || before >= alertLevel;
}

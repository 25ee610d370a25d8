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

interface Change {
  change: number;
  /** Of the gift, or spent. Others, such as a refund, concern the rest of the balance first. */
  isGiftFirst: boolean;
}

/** How much of a gift is left, reserved submissions included, after all changes of a balance. */
export function giftLeft(changes: readonly Change[]): number {
  let balance = 0;
  let gift = 0;
  for (const { change, isGiftFirst } of changes) {
    balance += change;
    if (isGiftFirst) gift = Math.max(0, gift + change);
    gift = Math.min(gift, balance);
  }
  return gift;
}

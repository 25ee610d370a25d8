export const planNameTaken = 'Another plan on sale has this name.';
export const packNameTaken = 'Another pack on sale has this name.';
export const tooManyOnSale = (most: number) =>
  `At most ${most} can be on sale. Withdraw one first.`;
export const freePlanPrice = 'The free plan must stay free.';
export const freePlanPeriod = 'The free plan has no end.';
export const freePlanSold = 'Everyone starts with the free plan, so it must stay on sale.';
export const atLeast = (price: string) => `At least ${price}.`;
export const daysMissing = 'Enter a number of days.';
export const planSaved = (plan: string) =>
  `Plan ${plan} saved. Existing orders and subscriptions keep their terms.`;
export const packSaved = (pack: string) => `Pack ${pack} saved. Existing orders keep their price.`;
export const pricingSaved = 'Pricing saved. Existing orders keep their currency and tax.';

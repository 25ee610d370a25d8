/** The keys under which the browser keeps what it must remember, to the letter of the spec. */
export const storageKeys = {
  userToken: 'userToken',
  appToken: 'appToken',
  currentUser: 'currentUser',
  switchedAs: 'switchedAs',
  userPlan: 'userPlan',
  billingAddress: 'billingAddress',
  currentSale: 'currentSale',
  selectedPlan: 'selectedPlan',
  navigateToBilling: 'navigateToBilling',
} as const;

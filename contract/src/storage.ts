/** Local-storage keys, named by the specification. */
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

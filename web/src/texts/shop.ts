import { submissionCount } from './entities.ts';

// The page
export const whatAnswersCost =
  'An answer costs 1 submission or more, depending on the model. Rows without an answer are free.';
export const foreignCart =
  'Your cart belongs to another account. Adding a pack here starts a new cart.';
export const noPacksTitle = 'Nothing on offer right now';
export const noPacks = 'Please check again later, or write to {email}.';
export const pricesInclude = (tax: string) => `All prices include ${tax}.`;

// A pack
export const save = (percent: string) => `Save ${percent}%`;
export const priceOf = ({ price, submissions }: { price: string; submissions: number }) =>
  `${price} per ${submissions} submissions`;
export const quantityOf = (pack: string) => `Quantity of ${pack}`;
export const addToCart = 'Add to cart';
export const addPack = (pack: string) => `Add to cart: ${pack}`;
export const packsAdded = ({ quantity, pack }: { quantity: string; pack: string }) =>
  `Added to your cart: ${quantity} × ${pack}.`;

// Another amount
export const anotherAmount = 'Another amount';
export const submissionsNeeded = 'Submissions you need';
export const madeOfPacks = 'We combine packs for the best price.';
export const notInRange = (most: string) => `Please enter a whole number from 1 to ${most}.`;
export const submissionsAdded = (submissions: string) =>
  `Added to your cart: ${submissionCount(submissions)}.`;
export const composition = '{packs}. Together {submissions} for {price}{more}';
export const moreThanAsked = (submissions: string) => ` (${submissions} extra)`;

// The cart
export const yourCart = 'Your cart';
export const emptyCart = 'Your cart is empty. Add a pack or an amount.';
export const cartHolds = '{submissions} for {price}';
export const toCheckout = 'Go to checkout';

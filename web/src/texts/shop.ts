// The page
export const oneAnswersOneRow =
  'One submission is used for each row that is answered, and none for a row that is not.';
export const foreignCart =
  'Your cart was filled for another account. What you add here starts a new one.';
export const noPacksTitle = 'Nothing is offered at the moment';
export const noPacks = 'Please look again later, or write to {email}.';
export const pricesInclude = (tax: string) => `All prices include ${tax}.`;

// A pack
export const save = (percent: string) => `Save ${percent} %`;
export const priceOfRows = ({ price, rows }: { price: string; rows: number }) =>
  `${price} for ${rows} answered rows`;
export const quantityOf = (pack: string) => `Quantity of ${pack}`;
export const addToCart = 'Add to cart';
export const addPack = (pack: string) => `Add to cart: ${pack}`;
export const packsAdded = ({ quantity, pack }: { quantity: string; pack: string }) =>
  `Added to your cart: ${quantity} × ${pack}.`;

// Another amount
export const anotherAmount = 'Another amount';
export const submissionsNeeded = 'Submissions that you need';
export const madeOfPacks = 'It is made up of the packs above.';
export const notInRange = (most: string) => `Please enter a whole number from 1 to ${most}.`;
export const submissionsAdded = (submissions: string) =>
  `Added to your cart: ${submissions} submissions.`;
export const composition = '{packs}. Together {submissions} submissions for {price}{more}';
export const moreThanAsked = (submissions: string) => `, ${submissions} more than you asked for`;

// The cart
export const yourCart = 'Your cart';
export const emptyCart = 'It is empty. Add a pack, or an amount made of packs.';
export const cartHolds = '{submissions} submissions for {price}';
export const toCheckout = 'Go to checkout';

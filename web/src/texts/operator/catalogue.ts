// On several parts of the page
export const name = 'Name';
export const price = 'Price';
export const submissions = 'Submissions';
export const edit = 'Edit';
export const editItem = (item: string) => `Edit ${item}`;
export const onSale = 'On sale';
export const withdrawn = 'Withdrawn';
export const highlighted = 'Highlighted';

// The plans
export const plans = 'Plans';
export const addPlan = 'Add plan';
export const tableOfPlans = 'Table of plans';
export const runsFor = 'Runs for';
export const holders = 'Subscribers';
export const free = 'Free';
export const noEnd = 'No expiry';
export const days = ({ days, isOne }: { days: string; isOne: boolean }) =>
  `${days} ${isOne ? 'day' : 'days'}`;

// The packs
export const packs = 'Packs';
export const addPack = 'Add pack';
export const tableOfPacks = 'Table of packs';
export const priceOf = (submissions: number) => `${submissions} submissions cost`;
export const noPackSold = 'No pack is on sale, so submissions cannot be bought.';

// Currency and tax
export const pricing = 'Currency and tax';
export const editPricing = 'Edit currency and tax';
export const allPrices = 'All prices are in {currency} and include {tax}.';
export const untaxedPrices = 'All prices are in {currency}. No tax is charged.';

// Every edit
export const position = 'Position';
export const positionHint = '1 is first.';
export const priceIn = (currency: string) => `Price in ${currency}`;
export const priceHint = 'For example 12.50, including tax.';

// A plan
export const newPlan = 'New plan';
export const planNote = 'Existing orders and subscribers keep the old terms.';
export const submissionsHint = 'Granted at payment. A free plan grants them once per person.';
export const yes = 'Yes';
export const no = 'No';
export const keptForAll =
  'The free plan cannot be withdrawn or priced: every account starts with it.';
export const runsForDays = 'Runs for (days)';
export const runsForHint = 'Plans never renew automatically.';
export const features = 'Bullet points';
export const featuresHint = (most: number) => `Shown with the plan. One per line, at most ${most}.`;

// A pack
export const newPack = 'New pack';
export const packNote =
  'Existing orders keep their price. Carts show the new price before payment.';

// An edit of currency and tax
export const pricingNote =
  'Existing orders keep their currency and tax. Prices include tax, so they do not change.';
export const currency = 'Currency';
export const currencyHint =
  'Applies to all prices and to what models cost you. The numbers stay: 12.50 becomes 12.50 in the new currency.';
export const confirmCurrency = ({ from, to }: { from: string; to: string }) => ({
  title: `Sell in ${to} instead of ${from}?`,
  confirm: 'Change the currency',
  text: `Every price keeps its number: 12.50 ${from} becomes 12.50 ${to} at once, also for people who are buying now. Change the prices afterwards if they should differ.`,
});
export const currencyChoice = ({ code, name }: { code: string; name: string }) =>
  `${code}, ${name}`;
export const taxName = 'Name of the tax';
export const percent = 'Percent';
export const percentHint = 'For example 20 or 17.5.';

// The history
export const history = 'History';
export const nothingChanged = 'No changes yet.';
export const theSystem = 'The system';
export const acts = { added: 'added', changed: 'changed', removed: 'removed' } as const;
export const items = { plan: 'the plan', pack: 'the pack', pricing: 'currency and tax' } as const;
export const actOn = ({ act, item }: { act: string; item: string }) => `${act} ${item}`;
export const actOnNamed = ({ act, item, name }: { act: string; item: string; name: string }) =>
  `${act} ${item} “${name}”`;
/** In the order in which the history lists them. */
export const changedFields = {
  name: 'name',
  price_minor: 'price',
  rate_minor: 'price',
  currency: 'currency',
  period_days: 'days',
  submissions: 'submissions',
  count: 'submissions',
  features: 'bullet points',
  highlighted: 'highlighted',
  position: 'position',
  is_sold: 'on sale',
  basis_points: 'tax rate',
} as const;
export const fieldIs = ({ field, value }: { field: string; value: string }) => `${field}: ${value}`;
export const fieldWas = ({
  field,
  before,
  after,
}: {
  field: string;
  before: string;
  after: string;
}) => `${field}: from ${before} to ${after}`;
export const noValue = 'none';
export const emptyList = 'nothing';
export const quoted = (point: string) => `“${point}”`;
export const isSo = 'yes';
export const isNotSo = 'no';
export const rate = (percent: string) => `${percent}%`;

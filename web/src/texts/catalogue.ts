// On several parts of the page
export const backToOperator = 'Back to the operator’s page';
export const name = 'Name';
export const price = 'Price';
export const submissions = 'Submissions';
export const actions = 'Actions';
export const edit = 'Edit';
export const editItem = (item: string) => `Edit ${item}`;
export const onSale = 'On sale';
export const withdrawn = 'Withdrawn';
export const highlighted = 'Highlighted';

// The plans
export const plans = 'Plans';
export const addPlan = 'Add a plan';
export const tableOfPlans = 'Table of plans';
export const runsFor = 'Runs for';
export const holders = 'People who have it';
export const free = 'Free';
export const noEnd = 'No end';
export const days = ({ days, isOne }: { days: string; isOne: boolean }) =>
  `${days} ${isOne ? 'day' : 'days'}`;

// The packs
export const packs = 'Packs';
export const addPack = 'Add a pack';
export const tableOfPacks = 'Table of packs';
export const rowsCost = (rows: number) => `${rows} answered rows cost`;
export const noPackSold = 'No pack is on sale. Nobody can buy submissions until one is.';

// Currency and tax
export const pricing = 'Currency and tax';
export const editPricing = 'Edit currency and tax';
export const allPrices = 'All prices are in {currency} and include {tax}.';
export const taxed = ({ percent, tax }: { percent: string; tax: string }) => `${percent} % ${tax}`;

// Every edit
export const save = 'Save';
export const saved = 'Saved.';
export const cancel = 'Cancel';
export const lookAgain = 'Show how it stands now';
export const position = 'Place in the list';
export const positionHint = '1 stands first.';
export const offered = 'Offered';
export const priceIn = (currency: string) => `Price in ${currency}`;
export const priceHint = 'Such as 12.50, tax included.';

// A plan
export const newPlan = 'New plan';
export const planNote = 'Orders that exist, and whoever has the plan already, keep what it was.';
export const submissionsHint = 'Given once, when it begins.';
export const yes = 'Yes';
export const no = 'No';
export const keptForAll = 'The free plan cannot be withdrawn or priced: everybody begins with it.';
export const runsForDays = 'Runs for (days)';
export const runsForHint = 'It never renews itself.';
export const features = 'What its card says';
export const featuresHint = (most: number) => `One a line, at most ${most}.`;

// A pack
export const newPack = 'New pack';
export const packNote =
  'Orders that exist keep their price. A cart shows the new one before it is paid.';

// An edit of currency and tax
export const pricingNote =
  'Orders that exist keep their currency and their tax. Prices include the tax, so they stay what they are.';
export const currency = 'Currency';
export const currencyHint =
  'Of all prices. Their numbers stay: 12.50 is 12.50 of the new currency.';
export const currencyChoice = ({ code, name }: { code: string; name: string }) =>
  `${code}, ${name}`;
export const taxName = 'Name of the tax';
export const percent = 'Percent';
export const percentHint = 'Such as 20 or 17.5.';

// The history
export const history = 'History';
export const nothingChanged = 'Nothing has been changed yet.';
export const theSystem = 'The system';
export const acts = { added: 'added', changed: 'changed', removed: 'removed' } as const;
export const items = { plan: 'the plan', pack: 'the pack', pricing: 'currency and tax' } as const;
export const actOn = ({ act, item }: { act: string; item: string }) => `${act} ${item}`;
export const actOnNamed = ({ act, item, name }: { act: string; item: string; name: string }) =>
  `${act} ${item} “${name}”`;
/** In the order in which they are told. */
export const changedFields = {
  name: 'name',
  price_minor: 'price',
  rate_minor: 'price',
  currency: 'currency',
  period_days: 'days',
  submissions: 'submissions',
  count: 'submissions',
  features: 'what its card says',
  highlighted: 'highlighted',
  position: 'place',
  is_sold: 'on sale',
  basis_points: 'rate of the tax',
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
export const rate = (percent: string) => `${percent} %`;

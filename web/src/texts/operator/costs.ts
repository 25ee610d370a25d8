export const costs = 'Costs';
export const tableOfCosts = 'Table of costs';
export const note =
  'Costs use the prices of the model and tier that answered, at the time of the answer. They include calls that gave no usable answer, but not calls that were never answered, such as timeouts. Revenue values each submission used, free ones too, at the average price of those sold in the last year, without tax and refunds. Days are those of UTC.';
export const groupBy = 'Group by';
export const groups = { day: 'Day', model: 'Model', client: 'Client' } as const;
export const period = 'Period';
export const lastDays = (days: number) => (days === 1 ? 'Last day' : `Last ${days} days`);
export const saveCsv = 'Download CSV';
export const nothing = 'No answers in this time.';
export const columns = {
  answers: 'Answers',
  submissions: 'Submissions',
  tokensIn: 'Input tokens',
  tokensOut: 'Output tokens',
  cost: 'Cost',
  revenue: 'Revenue',
  margin: 'Margin',
} as const;
export const unknown = 'Unknown';
export const under = (amount: string) => `Under ${amount}`;
export const atLeast = (amount: string) => `At least ${amount}`;
export const atMost = (amount: string) => `At most ${amount}`;
export const unknownCosts = (number: number, shown: string) =>
  `The cost of ${shown} ${number === 1 ? 'row or prompt' : 'rows or prompts'} is unknown: the Providers page had no costs for the model, or the provider did not count tokens.`;
export const unknownRevenue = (currency: string) =>
  `Revenue and margin are unknown, because no submissions were sold in ${currency} in the last year.`;
export const costBars = 'The bars compare costs.';
export const tokenBars = 'The bars compare tokens, because a cost is unknown.';
export const total = 'Total';
export const fileName = (by: string) => `costs-by-${by}.csv`;
export const csvTitles = [
  'answers',
  'submissions',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost',
  'unknown_costs',
  'revenue',
  'margin',
  'currency',
] as const;

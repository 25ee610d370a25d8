export const costs = 'Costs';
export const tableOfCosts = 'Table of costs';
export const note =
  'Answered rows and single prompts, at the current costs of their models. Rows that a fallback or a flex tier answered count at the full cost of the batch’s model. Revenue uses the average price of a submission in the last year, without tax and refunds.';
export const groupBy = 'Group by';
export const groups = { day: 'Day', model: 'Model', client: 'Client' } as const;
export const period = 'Period';
export const lastDays = (days: number) => (days === 1 ? 'Last day' : `Last ${days} days`);
export const saveCsv = 'Save as CSV';
export const nothing = 'No answers in this time.';
export const answers = 'Answers';
export const submissions = 'Submissions';
export const tokensIn = 'Input tokens';
export const tokensOut = 'Output tokens';
export const cost = 'Cost';
export const revenue = 'Revenue';
export const margin = 'Margin';
export const unknown = 'Unknown';
export const unknownCosts = 'A cost is unknown until its model has one on the page Providers.';
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
  'revenue',
  'margin',
] as const;

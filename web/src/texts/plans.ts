// The page
export const plans = 'Plans';
export const howTheyWork =
  'Bought for a period, with no silent renewal. One submission is used for each row that is answered.';
export const youNeedNone = 'You are an admin and need no plan.';
export const toDashboard = 'Go to the dashboard';
export const choosingFor = (client: string) =>
  `You act as ${client}: what you choose is the plan of this client.`;
export const noPlansTitle = 'No plan is offered at the moment';
export const noPlans = 'Please look again later, or write to {email}.';
export const pricesInclude = (tax: string) => `All prices include ${tax}.`;

// A plan
export const yourPlan = 'Your plan';
export const yourChoice = 'Your choice';
export const choose = (plan: string) => `Choose ${plan}`;
export const adminNeedsNone = 'An admin needs no plan.';
export const alreadyYours = 'You have this plan already.';
export const taken = 'The plan is taken.';

// Side by side
export const compared = 'Compared';
export const plansCompared = 'The plans compared';
export const comparedColumns = (rows: number) =>
  [
    'Plan',
    'Price',
    'Runs for',
    'Submissions',
    `${rows} answered rows cost`,
    'Renews by itself',
  ] as const;
export const noEnd = 'As long as you like';
export const runsFor = (days: string) => `${days} days`;
export const noRenewal = 'No';

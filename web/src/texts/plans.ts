// The page
export const plans = 'Plans';
export const howTheyWork =
  'Pay for a period, with no automatic renewal. An answer costs 1 submission or more, depending on the model.';
export const youNeedNone = 'As an admin you need no plan.';
export const toDashboard = 'Go to the dashboard';
export const choosingFor = (client: string) =>
  `You are acting for ${client}: you are choosing this client’s plan.`;
export const noPlansTitle = 'No plans on offer right now';
export const noPlans = 'Please check again later, or write to {email}.';
export const pricesInclude = (tax: string) => `All prices include ${tax}.`;

export const pickOne = 'Choose a plan. Free is fine.';

// A plan
export const yourPlan = 'Your plan';
export const yourPlanIs = (plan: string) => `Your plan: ${plan}`;
export const planOf = (client: string, plan: string) => `${client}’s plan: ${plan}`;
export const yourChoice = 'Your choice';
export const choose = (plan: string) => `Choose ${plan}`;
export const adminNeedsNone = 'Admins need no plan.';
export const alreadyYours = 'You already have this plan.';
export const taken = 'Your plan is active.';

// Side by side
export const compared = 'Compare plans';
export const comparedColumns = (submissions: number) =>
  ['Plan', 'Price', 'Runs for', 'Submissions', `${submissions} submissions cost`] as const;
export const noEnd = 'No expiry';
export const runsFor = (days: string) => (days === '1' ? '1 day' : `${days} days`);

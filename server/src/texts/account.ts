/** By refusal code. */
export const refused = {
  not_now: {
    operator: 'An operator’s account cannot be deleted, so that the installation always has one.',
  },
};

export const currentPlan = (name: string) => `Your plan is ${name}.`;
export const choosePlan = 'Choose a plan to continue.';
export const accountDeleted = 'Your account is deleted.';
/** The reason that clients find in their activity. */
export const adminDeleted = 'The admin deleted their account';
export const clientDeleted = 'The client deleted their account';
export const invitationWithdrawn = 'The invitation was withdrawn';
export const withdrawn = (email: string) => `The invitation of ${email} is withdrawn.`;
export const acceptedMeanwhile =
  'This client has accepted the invitation, so it cannot be withdrawn.';

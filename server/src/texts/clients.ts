/** By refusal code. */
export const refused = {
  address_unavailable: { fields: { email: 'Try another address.' } },
  invalid_input: {
    user_id: 'Choose whose submissions to change.',
    change: 'Enter a number other than 0.',
    reason: 'Enter a reason.',
  },
};

export const invited = (email: string) => `${email} is invited.`;
export const isYourClient = (email: string) => `${email} is your client already.`;
export const hasAccepted =
  'This client has accepted the invitation, and changes the address in the profile.';
export const limitsSaved = 'The limits are saved.';
export const resetLinkSent = (email: string) =>
  `A link to set a new password is on its way to ${email}.`;

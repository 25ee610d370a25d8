export const writePrompt = 'Write a prompt.';
export const noModels = 'The provider offers no models right now. Try again in a moment.';
export const unknownModel = (model: string) => `There is no model named “${model}”.`;
export const notAnswered = 'This prompt was not answered.';
export const serverStopped = 'The server stopped before the answer arrived.';
export const cancelled = 'The call was cancelled. Nothing was charged.';
export const notCharged = (reason: string) => `${reason} Nothing was charged.`;
export const tooManyVariables = (maximum: number) => `You can save at most ${maximum} variables.`;

// Options that are sent with the prompt
export const instructions = {
  label: 'Instructions',
  hint: 'For example: role, audience, output format.',
} as const;
export const temperature = {
  label: 'Temperature',
  hint: '0 to 2. Lower is more consistent, higher more creative.',
} as const;
export const maximumLength = {
  label: 'Maximum answer length (tokens)',
  hint: 'A token is about four letters.',
} as const;
export const moreOptions = 'More options';
export const topP = {
  label: 'Top-p',
  hint: '0 to 1. Lower leaves out unlikely words. Change this or the temperature, not both.',
} as const;
export const stopTexts = {
  label: 'Stop texts',
  hint: 'One per line, at most four. The answer ends before the first one.',
} as const;
export const seed = {
  label: 'Seed',
  hint: 'The same number gives nearly the same answers again.',
} as const;
export const effort = {
  label: 'Reasoning effort',
  hint: 'How long the model thinks before it answers. Less thinking costs less.',
} as const;
export const efforts = {
  none: 'None',
  minimal: 'Minimal',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  xhigh: 'Very high',
} as const;
export const usualEffort = 'Default';
export const rowLimit = { label: 'Row limit', hint: 'Leave empty for all rows.' } as const;

// The balance in the header
export const available = (submissions: string) => `Available: ${submissions} submissions`;
export const unknown = 'unknown';
export const refresh = 'Refresh credits';

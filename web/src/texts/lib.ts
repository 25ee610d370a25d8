// The title of the window
export const windowTitle = (page: string) => `${page} · Rowmill`;

// Errors
export const wentWrong = 'Something went wrong. Please try again.';
export const tryAgainIn = ({ reason, wait }: { reason: string; wait: string }) =>
  `${reason} Try again in ${wait}.`;
export const seconds = (seconds: number) => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
export const minutes = (minutes: number) => `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
export const hours = (hours: number) => `${hours} hours`;
export const signedOut = 'You are signed out.';
export const cannotStore = 'This site cannot store data. Check your browser and try again.';
export const unreadableAnswer = 'The server’s answer could not be read. Try again in a moment.';
export const outOfReach = 'The server cannot be reached. Check your connection and try again.';
export const uploadCancelled = 'The upload was cancelled.';
export const notLoaded = (file: string) => `Could not load ${file}.`;

// Numbers
export const range = ({ from, to, total }: { from: string; to: string; total: string }) =>
  `${from} to ${to} of ${total}`;
export const emptyRange = (total: string) => `0 of ${total}`;
export const moreThan = (count: string) => `${count}+`;
export const taxed = ({ percent, name }: { percent: string; name: string }) =>
  `${percent}% ${name}`;

// The title of the window
export const windowTitle = (page: string) => `${page} · Rowmill`;

// What went wrong
export const wentWrong = 'Something went wrong. Please try again.';
export const tryAgainIn = ({ reason, wait }: { reason: string; wait: string }) =>
  `${reason} Try again in ${wait}.`;
export const seconds = (seconds: number) => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
export const minutes = (minutes: number) => `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
export const signedOut = 'You are signed out.';
export const unreadableAnswer =
  'The server gave an answer that cannot be read. Please try again in a moment.';
export const outOfReach =
  'The server cannot be reached. Please check your connection and try again.';
export const uploadCancelled = 'The upload was cancelled.';
export const notLoaded = (file: string) => `Could not load the file ${file}.`;

// Numbers
export const range = ({ from, to, total }: { from: string; to: string; total: string }) =>
  `${from} to ${to} of ${total}`;
export const emptyRange = (total: string) => `0 of ${total}`;
export const submissions = (submissions: string) => `${submissions} submissions`;
export const taxed = ({ percent, name }: { percent: string; name: string }) =>
  `${percent} % ${name}`;
export const untaxed = (name: string) => `no ${name}`;

// A batch: its state
export const ready = 'Ready';
export const running = 'Running';
export const paused = 'Paused';
export const stopped = 'Stopped';
export const completed = 'Completed';

// A batch: why it is paused, and what can be done about it
export const pausedByHand = 'Paused by hand.';
export const resumeAnyTime = 'Resume whenever you like.';
export const usedUp = 'The submissions are used up.';
export const buyThenResume = 'Buy more, then resume. The answers so far stay.';
export const providerRefuses = 'The provider of the model refuses the requests.';
export const keyNeedsAttention =
  'The key or its quota needs attention by those who run this site. Then resume; no row is lost.';
export const providerSilent = 'The provider of the model does not answer.';
export const goesOnByItself =
  'The batch goes on by itself once there are answers again; Resume tries at once. No row is lost.';
export const noRoomLeft = 'There is no room left to keep the answers.';
export const deleteThenResume = 'Delete batches that you no longer need, then resume.';

// A batch: how far it is
export const progress = ({
  answered,
  failed,
  rows,
}: {
  answered: string;
  failed: string;
  rows: string;
}) => `${answered} answered, ${failed} failed of ${rows}`;
export const noRateYet = 'No rate yet';
export const rate = (rows: string) => `${rows} rows/min`;
export const timeNotKnown = 'Time left not known yet';
export const fewSeconds = 'a few seconds';
export const aboutSeconds = (seconds: number) => `about ${seconds} seconds`;
export const aboutMinute = 'about a minute';
export const aboutMinutes = (minutes: number) => `about ${minutes} minutes`;
export const aboutHours = ({ hours, minutes }: { hours: number; minutes: number }) =>
  `about ${hours} ${hours === 1 ? 'hour' : 'hours'}${minutes ? ` ${minutes} minutes` : ''}`;
export const aboutDays = (days: number) => `about ${days} days`;

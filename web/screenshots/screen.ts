import type { Step } from './steps.ts';

export interface Screen {
  name: string;
  /** The signed-in demo person. Public pages have none. */
  who?: string;
  open: readonly Step[];
  onlyPhone?: boolean;
  /** A dialog or menu above the page: only the window is pictured, once for each width. */
  isLayer?: boolean;
  /** Also used in the docs, in this theme. */
  inDocs?: 'light' | 'dark';
}

type Kind = Omit<Screen, 'name' | 'open' | 'who'>;
export const layer: Kind = { isLayer: true };

/** Screens of one person, in the order in which they are opened. */
const screensOf =
  (who?: string) =>
  (name: string, open: readonly Step[], kind: Kind = {}): Screen => ({
    name,
    ...(who ? { who } : {}),
    open,
    ...kind,
  });
export const visitor = screensOf();
export const client = screensOf('client@demo.test');
export const newcomer = screensOf('bakery@demo.test');
export const admin = screensOf('admin@demo.test');
export const operator = screensOf('operator@demo.test');

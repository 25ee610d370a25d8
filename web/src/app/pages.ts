import { paths } from '../lib/paths.ts';
import * as texts from '../texts/shell.ts';

/** The routes of the signed-in area with their titles. */
export const areaPages = [
  { path: paths.dashboard, title: texts.dashboard },
  { path: paths.credits, title: texts.buyCredits },
  { path: paths.checkout, title: texts.titles.checkout },
  { path: paths.ask, title: texts.titles.ask },
  { path: paths.allPrompts, title: texts.allPrompts },
  { path: paths.history, title: texts.processedBatches },
  { path: paths.batch, title: texts.processedBatches },
  { path: paths.sheets, title: texts.sheets },
  { path: paths.profile, title: texts.titles.profile },
  { path: paths.changePassword, title: texts.titles.changePassword },
  { path: paths.clients, title: texts.clients },
  { path: paths.activity, title: texts.activity },
  { path: paths.operator, title: texts.operator },
  { path: paths.person, title: texts.operator },
  { path: paths.catalogue, title: texts.catalogue },
  { path: paths.providers, title: texts.providers },
  { path: paths.payments, title: texts.payments },
  { path: paths.orders, title: texts.titles.orders },
] as const;
export type AreaPath = (typeof areaPages)[number]['path'];

export function titleOf(path: string): string {
  return (
    areaPages.find((page) => path === page.path)?.title ?? parentOf(path)?.title ?? texts.product
  );
}

/** The list that the item of a page belongs to; null for pages without an item. */
export function listOf(path: string): string | null {
  if (path.startsWith(`${paths.history}/`)) return paths.history;
  return path.startsWith(paths.person.replace(':id', '')) ? paths.operator : null;
}

/** A page of one item has the title of its list. */
function parentOf(path: string) {
  return areaPages.find((page) => path.startsWith(`${page.path}/`));
}

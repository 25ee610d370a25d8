import { type SiteSettings, settingsPath, siteSettings } from '@rowmill/contract';
import * as texts from '../texts/lib.ts';

let loaded: SiteSettings | undefined;

/** Fetches the runtime settings once, before anything else is shown. The page has begun to fetch them before its script came. */
export async function loadSettings(): Promise<void> {
  try {
    const response = await fetch(settingsPath);
    loaded = siteSettings.parse(await response.json());
  } catch (cause) {
    throw new Error(texts.notLoaded(settingsPath), { cause });
  }
}

export function settings(): SiteSettings {
  if (!loaded) throw new Error('The settings are read before they are loaded.');
  return loaded;
}

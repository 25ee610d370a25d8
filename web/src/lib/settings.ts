import { type SiteSettings, settingsPath, siteSettings } from '@rowmill/contract';
import * as texts from '../texts/lib.ts';

let loaded: SiteSettings | undefined;

/** Fetches the runtime settings once, before anything is shown. index.html preloads them. */
export async function loadSettings(): Promise<void> {
  try {
    const response = await fetch(settingsPath);
    loaded = siteSettings.parse(await response.json());
  } catch (cause) {
    throw new Error(texts.notLoaded(settingsPath), { cause });
  }
}

export function settings(): SiteSettings {
  if (!loaded) throw new Error('The settings were read before they were loaded.');
  return loaded;
}

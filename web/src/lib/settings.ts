import { type SiteSettings, settingsPath, siteSettings } from '@rowmill/contract';

let loaded: SiteSettings | undefined;

/** Fetches the runtime settings once, before anything else is shown. */
export async function loadSettings(): Promise<void> {
  try {
    const response = await fetch(settingsPath, { cache: 'no-cache' });
    loaded = siteSettings.parse(await response.json());
  } catch (cause) {
    throw new Error(`Could not load the file ${settingsPath}.`, { cause });
  }
}

export function settings(): SiteSettings {
  if (!loaded) throw new Error('The settings are read before they are loaded.');
  return loaded;
}

import type { AnswerOf, listFiles } from '@rowmill/contract';
import { formatBytes } from '../lib/format.ts';
import * as texts from '../texts/sheets.ts';
import { Notice } from '../ui/notice.tsx';

export type Storage = AnswerOf<typeof listFiles>['storage'];

/** The warning comes early enough to delete something before an upload is refused. */
const warnFrom = 0.8;

export function StorageNotice({ storage }: { storage: Storage }) {
  const { used_bytes: used, quota_bytes: quota } = storage;
  if (used < warnFrom * quota) return null;
  return <Notice tone="warning">{texts.storageLow(formatBytes(used), formatBytes(quota))}</Notice>;
}

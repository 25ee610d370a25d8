import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrateOnce } from './migrate-once.ts';

/** Makes the embedded database once per run. Every server under test starts on a copy. */
export default async function makeTemplate(project: TestProject): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-template-'));
  await migrateOnce({ DATA_DIR: directory });
  project.provide('embeddedTemplate', join(directory, 'database'));
  return () => rmSync(directory, { recursive: true, force: true });
}

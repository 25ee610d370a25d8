import { readEnvironment } from '../config/env.ts';
import { makeEmptyDatabase } from '../db/embedded/empty-database.ts';

/** A part of `npm run build`. With PostgreSQL there is nothing to make. */
if (!readEnvironment().DATABASE_URL)
  await makeEmptyDatabase(async (directory) => {
    // Loaded only when needed, because every `npm start` runs this file.
    const { migrateOnce } = await import('./migrate-once.ts');
    await migrateOnce({ DATA_DIR: directory });
  });

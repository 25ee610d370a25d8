import { email as emailField } from '@rowmill/contract';
import { parseConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { openDatabase } from '../db/connect.ts';
import { checkDemoMark } from '../db/demo-mark.ts';
import { makeOperator } from '../domains/identity/accounts/registration.ts';
import { grantPlansToOperators } from '../domains/plans/operator-plans.ts';
import { systemClock } from '../lib/clock.ts';
import { StartRefused } from '../lib/start-refused.ts';

/** `npm run operator -- create EMAIL`: prints a link, so that there is no default password. */
const [command, address = ''] = process.argv.slice(2);
const email = emailField.safeParse(address);
if (command !== 'create' || !email.success) {
  process.stderr.write('Usage: npm run operator -- create EMAIL\n');
  process.exit(2);
}

try {
  const config = parseConfig(readEnvironment());
  await using database = await openDatabase(config.database);
  await checkDemoMark(database.db, config);
  const ctx = { db: database.db, clock: systemClock, requestId: 'operator-command' };
  const token = await makeOperator(ctx, email.data);
  await grantPlansToOperators(ctx);
  process.stdout.write(
    `${email.data} is an operator. Set a password within seven days, once, at:\n`,
  );
  process.stdout.write(`${config.http.publicUrl}/auth/invitation#${token}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof StartRefused ? error.exitCode : 1;
}

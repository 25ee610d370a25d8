import { rmSync } from 'node:fs';
import { startFakeStripe } from '../../../fakes/stripe/server.ts';
import { signInDemo } from '../../harness/api-client.ts';
import { kill9, prepareData, startProduct } from '../../harness/processes.ts';
import { startApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { findBrokenInvariants } from '../../src/db/invariants.ts';
import { until } from '../support/waiting.ts';

/**
 * Kills the server while the job of a webhook waits for the provider. The next one has no
 * schedule, so no reconciler credits the order.
 */
export async function killDuringEvent() {
  await using stripe = await startFakeStripe({
    secretKey: 'sk_test_shop',
    webhookSecret: 'whsec_shop',
  });
  const directory = await prepareData();
  try {
    const killed = await startProduct(stripe.settings, directory, { keeps: true });
    stripe.sender.deliverTo(`${killed.url}/webhooks/stripe`);
    const client = await signInDemo(killed.url);
    const plan = [{ id: 'pack-500', quantity: 1 }];
    const { order_id, client_secret } = await client.call('stripeCreditIntent', { plan });
    const letGo = stripe.holdAnswers();
    const calls = stripe.calls.length;
    stripe.intents.succeed(stripe.intents.get(client_secret));
    await until(() => stripe.sender.sent.length > 0 && stripe.calls.length > calls);
    await kill9(killed);
    letGo();
    const settings = { PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'silent', DEMO: 'on' };
    const app = await startApp(parseConfig(readEnvironment({ ...settings, ...stripe.settings })), {
      isScheduled: false,
    });
    await using _ = app;
    const { db } = app.ctx;
    const paid = db.selectFrom('orders').select('granted').where('payment_status', '=', 'paid');
    await until(async () => (await paid.execute()).length > 0);
    const entries = db.selectFrom('credit_entries').select('amount');
    return {
      webhook: stripe.sender.sent.map(({ status }) => status),
      credited: (await entries.where('cause', '=', `order:${order_id}`).execute()).map(
        ({ amount }) => amount,
      ),
      brokenInvariants: await findBrokenInvariants(db),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

import { type FakePaypal, startFakePaypal } from '../../../fakes/paypal/server.ts';
import { testOnStage } from './fixtures.ts';
import type { StageOptions } from './stage.ts';

const secrets = { clientId: 'shop', clientSecret: 'secret', webhookId: 'hook' };
/** The wallet checks a payment until the test ends the check. */
const slowMilliseconds = 3_600_000;

/** A stage with a fake PayPal of its file, so that a test decides what the wallet does. */
export const testOnWalletStage = () =>
  testOnStage().extend<{ stageOptions: StageOptions }, { wallet: FakePaypal }>({
    wallet: [
      async ({ browserName: _ }, use) => {
        await using wallet = await startFakePaypal({ ...secrets, slowMilliseconds });
        await use(wallet);
      },
      { scope: 'worker' },
    ],
    stageOptions: ({ wallet }, use) => use({ settings: wallet.settings }),
  });

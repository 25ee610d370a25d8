import { type TestCardAnswer, testCardAnswer, testCardPath } from '@rowmill/contract';
import * as texts from '../../../texts/billing.ts';

interface Payment {
  client_secret: string;
  number: string;
  return_path: string;
}

/** Pays with a demo card. Available only without a real provider. */
export async function payTestCard(payment: Payment): Promise<TestCardAnswer> {
  const response = await fetch(testCardPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payment),
  }).catch((cause) => {
    throw new Error(texts.demoUnreachable, { cause });
  });
  const body = await response.json().catch(() => null);
  const parsed = testCardAnswer.safeParse(body);
  if (parsed.success) return parsed.data;
  const message = (body as { message?: unknown } | null)?.message;
  throw new Error(typeof message === 'string' ? message : texts.demoUnusable);
}

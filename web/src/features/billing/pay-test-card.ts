import { type TestCardAnswer, testCardAnswer, testCardPath } from '@rowmill/contract';

interface Payment {
  client_secret: string;
  number: string;
  return_path: string;
}

/** Pays with a card of the demo. The site itself answers this, and only where no real provider is set up. */
export async function payTestCard(payment: Payment): Promise<TestCardAnswer> {
  const response = await fetch(testCardPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payment),
  }).catch((cause) => {
    throw new Error('The demo’s card provider cannot be reached. Please try again.', { cause });
  });
  const body = await response.json().catch(() => null);
  const parsed = testCardAnswer.safeParse(body);
  if (parsed.success) return parsed.data;
  const message = (body as { message?: unknown } | null)?.message;
  throw new Error(typeof message === 'string' ? message : 'The demo’s card provider gave no usable answer. Please try again.');
}

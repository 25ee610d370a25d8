/** A payment as the shop would open it, for those who try a provider without a shop. */
export function newPayment(name: string) {
  const back = `http://127.0.0.1/back-${name}`;
  return {
    ...{
      paymentId: `payment-${name}`,
      orderId: `order-${name}`,
      userId: 'user',
      totalMinor: 1234,
      currency: 'GBP',
    },
    ...{ description: 'A test', returnUrl: back, cancelUrl: `${back}?cancelled=1` },
  };
}

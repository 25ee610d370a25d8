/** A payment as billing would open it, for adapter tests without a server. */
export function newPayment(name: string) {
  const back = `http://127.0.0.1/back-${name}`;
  return {
    paymentId: `payment-${name}`,
    orderId: `order-${name}`,
    userId: 'user',
    totalMinor: 1234,
    currency: 'GBP',
    description: 'A test',
    returnUrl: back,
    cancelUrl: `${back}?cancelled=1`,
  };
}

import { useRef } from 'react';
import { newIdempotencyKey } from '../../lib/api/api-client.ts';

/** Names a wish until it is fulfilled: sent again after a broken connection it has no second effect; another wish has another name. */
export function useWishKey() {
  const sent = useRef({ wish: '', key: '' });
  function keyFor(request: object): string {
    const wish = JSON.stringify(request);
    if (sent.current.wish !== wish) sent.current = { wish, key: newIdempotencyKey() };
    return sent.current.key;
  }
  function fulfilled(): void {
    sent.current = { wish: '', key: '' };
  }
  return { keyFor, fulfilled };
}

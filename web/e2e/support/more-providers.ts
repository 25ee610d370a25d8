import { startFakeChat } from '../../../fakes/chat/server.ts';

/** Two more providers: one has no capacity in the flex tier, one refuses its key. */
export async function startMoreProviders() {
  const working = await startFakeChat({ shareWithoutFlex: 1 });
  const refusing = await startFakeChat({ status: 401 });
  return {
    working,
    refusing,
    [Symbol.asyncDispose]: async () => {
      await working.close();
      await refusing.close();
    },
  };
}

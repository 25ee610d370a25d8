import { startFakeChat } from '../../../fakes/chat/server.ts';
import { closeAtEnd } from './closing.ts';

/** A fake chat provider for the tests of a file, and the settings of a server that asks it. */
export async function startChat(behaviour?: Parameters<typeof startFakeChat>[0]) {
  const chat = await startFakeChat(behaviour);
  closeAtEnd(() => chat.close());
  return { chat, settings: { CHAT_BASE_URL: chat.url, CHAT_MODEL: 'fake' } };
}

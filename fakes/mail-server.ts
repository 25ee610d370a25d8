import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** A mail server that accepts everything, except for the addresses that it refuses. */
export async function startMailServer() {
  const said: string[] = [];
  const refused = new Map<string, string>();
  const server = createServer((socket) => {
    socket.write('220 ready\r\n');
    let isContent = false;
    createInterface({ input: socket }).on('line', (line) => {
      said.push(line);
      if (isContent && line !== '.') return;
      isContent = line === 'DATA';
      const refusal = refused.get(/^RCPT TO:<(.*)>$/.exec(line)?.[1] ?? '');
      socket.write(`${isContent ? '354 go on' : (refusal ?? '250 done')}\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    said,
    /** The replies to addresses that are refused. */
    refused,
    url: `smtp://127.0.0.1:${port}`,
    /** How often an email to this address was tried. */
    triesTo: (address: string) => said.filter((line) => line === `RCPT TO:<${address}>`).length,
    close: () => server.close(),
  };
}

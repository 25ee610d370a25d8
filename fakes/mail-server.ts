import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** A mail server that accepts everything, except for the addresses that it refuses. */
export async function startMailServer() {
  const said: string[] = [];
  const refused = new Set<string>();
  const server = createServer((socket) => {
    socket.write('220 ready\r\n');
    let isContent = false;
    createInterface({ input: socket }).on('line', (line) => {
      said.push(line);
      if (isContent && line !== '.') return;
      isContent = line === 'DATA';
      const isRefused = [...refused].some((address) => line === `RCPT TO:<${address}>`);
      socket.write(isContent ? '354 go on\r\n' : isRefused ? '450 later\r\n' : '250 done\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    said,
    refused,
    url: `smtp://127.0.0.1:${port}`,
    /** How often an email to this address was tried. */
    triesTo: (address: string) => said.filter((line) => line === `RCPT TO:<${address}>`).length,
    close: () => server.close(),
  };
}

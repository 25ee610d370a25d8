import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy to a port of this machine that delays every response, as a slow server would. */
export interface SlowProxy extends AsyncDisposable {
  port: number;
  delay(milliseconds: number): void;
}

export async function startSlowProxy(to: number): Promise<SlowProxy> {
  let milliseconds = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (bytes) => far.write(bytes));
    // Equal delays keep the chunks in order.
    far.on('data', (bytes) => {
      if (milliseconds === 0) near.write(bytes);
      else setTimeout(() => near.write(bytes), milliseconds);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    delay: (wanted) => {
      milliseconds = wanted;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

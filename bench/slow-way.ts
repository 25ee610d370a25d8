import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server on this machine on which every answer takes longer. Asking costs nothing, as if only the server were slow. */
export interface SlowWay extends AsyncDisposable {
  port: number;
  delay(milliseconds: number): void;
}

export async function startSlowWay(to: number): Promise<SlowWay> {
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
    // Equal delays keep the order.
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

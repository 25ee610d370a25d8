import { connect, createServer, type Socket } from 'node:net';

export type TcpProxy = Awaited<ReturnType<typeof startProxy>>;

/** A TCP proxy that can refuse, cut or slow down connections, or drop all data silently. */
export async function startProxy(target: URL) {
  const sockets = new Set<Socket>();
  /**
   * `accepted` counts all attempts. They are refused while `isDown`, and carry no data while
   * `isHole`. Responses are delayed by `milliseconds`.
   */
  const state = { isDown: false, isHole: false, accepted: 0, lostCommits: 0, milliseconds: 0 };
  let epoch = 0;
  const lost = { after: null as string | null, by: null as Socket | null, goesDown: false };
  const server = createServer((socket) => {
    state.accepted++;
    if (state.isDown) return void socket.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    const pair = [socket, upstream];
    for (const one of pair) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        for (const other of pair) other.destroy();
      });
    }
    const opened = state.isHole ? Number.NaN : epoch;
    let isLost = false;
    socket.on('data', (data) => {
      if (opened !== epoch) return;
      if (lost.after && data.includes(lost.after)) Object.assign(lost, { after: null, by: socket });
      isLost = lost.by === socket && data.includes('commit\0');
      if (isLost) state.lostCommits++;
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (isLost && lost.goesDown) {
        state.isDown = true;
        cut();
      } else if (isLost) socket.destroy();
      else if (opened === epoch && state.milliseconds === 0) socket.write(data);
      // Equal delays keep the chunks in order.
      else if (opened === epoch) setTimeout(() => socket.write(data), state.milliseconds);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = new URL(target);
  url.port = String((server.address() as { port: number }).port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    state,
    openConnections: () => sockets.size / 2,
    cut,
    /** Open connections stay open but carry no data; new ones work. */
    silence: () => {
      epoch++;
    },
    /**
     * The next `commit` after such a statement arrives, and its connection ends before the answer.
     * With `goesDown` all connections end, and others are refused.
     */
    loseCommitAfter: (statement: string, { goesDown = false } = {}) => {
      Object.assign(lost, { after: statement, goesDown });
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

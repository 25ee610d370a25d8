interface Event {
  at: number;
  order: number;
  act: () => void;
}

/** The clock of a simulation, with its events in a binary heap: thousands wait at a time. */
export class EventHeap {
  now = 0;
  #order = 0;
  readonly #heap: Event[] = [];

  add(at: number, act: () => void): void {
    const event = { at: Math.ceil(at), order: this.#order++, act };
    const heap = this.#heap;
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(event, heap[parent])) break;
      heap[index] = heap[parent] as Event;
      index = parent;
    }
    heap[index] = event;
  }

  run(until: number): void {
    for (let event = this.#heap[0]; event && event.at <= until; event = this.#heap[0]) {
      this.#removeFirst();
      this.now = event.at;
      event.act();
    }
    this.now = until;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (isBefore(heap[child + 1], heap[child])) child++;
      const lesser = heap[child];
      if (!lesser || !isBefore(lesser, last)) break;
      heap[index] = lesser;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(one: Event | undefined, other: Event | undefined): boolean {
  if (!one) return false;
  if (!other) return true;
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** The function that it returns asks for `due` after some time. Only the earliest one counts. */
export function alarm(events: EventHeap, due: () => void): (milliseconds: number) => void {
  let next = Infinity;
  return (milliseconds) => {
    const at = events.now + Math.max(1, Math.ceil(milliseconds));
    if (milliseconds === Infinity || at >= next) return;
    next = at;
    events.add(at, () => {
      if (events.now < next) return;
      next = Infinity;
      due();
    });
  };
}

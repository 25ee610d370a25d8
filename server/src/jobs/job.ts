/** A job to put into the queue. */
export interface Job {
  name: string;
  payload: object;
  /** Jobs with a higher priority run first. */
  priority?: number;
  /** What fetches can leave out. */
  group?: string;
}

/** A job as it is put into the queue. */
export interface Job {
  name: string;
  payload: object;
  /** Of jobs that wait, those with more come first. */
  priority?: number;
}

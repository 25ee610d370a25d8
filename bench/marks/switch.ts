import { AnswerMarker } from '../../server/src/domains/batches/marks/answer-marker.ts';

/** Loaded into the product before it starts: the signal SIGUSR2 turns marks off, and on again. */
const mark = AnswerMarker.prototype.mark;
let isOn = true;
AnswerMarker.prototype.mark = function markIfOn(batch, answer) {
  return isOn ? mark.call(this, batch, answer) : { marks: 0, earlier: [] };
};
process.on('SIGUSR2', () => {
  isOn = !isOn;
});

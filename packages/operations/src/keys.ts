// Entry point for the rotation of signing keys. Separate from the others, since most commands do without the library behind it.
export { KeyRotation } from './key-rotation/key-rotation.js';
export type { NextStep, RotatingKeyView, RotationStatus } from './key-rotation/rotation-status.js';

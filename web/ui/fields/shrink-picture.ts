/** Usual side of a small picture in pixels: three times the displayed size. */
const SIDE = 240;

/**
 * Scales a picture down to a square, whose side is `size` in pixels. `cover` crops it to its middle, `contain` adds transparent margins. A photo of many megabytes
 * is then sent quickly, and does not contain the place where it was taken. Throws if the browser can't read the file as a picture.
 */
export async function shrinkPicture(file: Blob, fit: 'cover' | 'contain', size = SIDE): Promise<Blob> {
  const read = await createImageBitmap(file);
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser draws no pictures');
  const side = Math[fit === 'cover' ? 'min' : 'max'](read.width, read.height);
  const [width, height] = [(read.width * size) / side, (read.height * size) / side];
  pen.drawImage(read, (size - width) / 2, (size - height) / 2, width, height);
  read.close();
  return new Promise((resolve, fail) => {
    canvas.toBlob((made) => (made ? resolve(made) : fail(new Error('the picture could not be made'))), 'image/webp', 0.85);
  });
}

/** Side of a profile picture in pixels: three times the displayed size. */
const SIDE = 240;

/**
 * Crops a picture to its middle square and scales the square down. A photo of many megabytes is then sent quickly, and does not
 * contain the place where it was taken. Throws if the browser can't read the file as a picture.
 */
export async function shrinkPicture(file: Blob): Promise<Blob> {
  const read = await createImageBitmap(file);
  const side = Math.min(read.width, read.height);
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser draws no pictures');
  pen.drawImage(read, (read.width - side) / 2, (read.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  read.close();
  return new Promise((resolve, fail) => {
    canvas.toBlob((made) => (made ? resolve(made) : fail(new Error('the picture could not be made'))), 'image/webp', 0.85);
  });
}

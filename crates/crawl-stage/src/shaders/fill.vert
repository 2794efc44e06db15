// Triangles with corners from `positions`.
void main() {
    gl_Position = clip_of(pixel_of(gl_VertexID));
}

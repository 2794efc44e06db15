// Plain triangles, whose corners stand in `positions`.
void main() {
    gl_Position = clip_of(pixel_of(gl_VertexID));
}
